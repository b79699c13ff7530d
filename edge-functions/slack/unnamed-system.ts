// Imported before Slack's client, which asks for the system's release as it is loaded, to name it in its User-Agent. A hosted function may
// not ask (it may know hostname, userInfo and cpus), and would end: the release has no name here.
import os from "node:os";

Object.assign(os, { release: () => "unnamed" });
