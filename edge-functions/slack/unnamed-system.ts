// Import this before Slack's client, which reads the system's release on load for its User-Agent. A hosted function may not read it
// (only hostname, userInfo and cpus) and would crash, so this replaces the release with a fixed name.
import os from "node:os";

Object.assign(os, { release: () => "unnamed" });
