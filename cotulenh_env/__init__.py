"""Commander Chess and sister games as PettingZoo and Gymnasium environments."""
