"""From a request to a running program: survey, plan, prepare, and whether it came up."""
