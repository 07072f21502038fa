"""Where a network may run: devices that torch knows by name and that exist on this machine."""

from __future__ import annotations

import torch

from agents.errors import AgentError
from cotulenh_env.errors import shown


def checked_device(device: object) -> torch.device:
    """The device of that name, tried out.

    Args:
        device: a name such as "cpu", "cuda" or "cuda:1", or torch's own object.

    Raises:
        AgentError: it is no name, torch does not know it, or nothing can be computed there.
    """
    if not isinstance(device, str | torch.device):
        raise AgentError(f"device is a name such as 'cpu' or 'cuda', got {shown(device)}")
    try:
        found = torch.device(device)
        # A name that torch knows says nothing of this machine, and "meta" holds no numbers.
        torch.zeros(1, device=found).add_(1).cpu()
    except Exception as error:  # every backend that is not there has an error of its own
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise AgentError(
            f"the network cannot be put on device {shown(str(device))}: {reason[:200]}"
        ) from None
    return found
