"""Working, waiting or idle: what hooks, screens and titles say about an agent."""
