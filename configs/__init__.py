"""The shipped configurations, one YAML file per experiment; installed as training.configs."""
