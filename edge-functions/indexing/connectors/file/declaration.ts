// Declares the settings of a source of files.
import { declare } from "../declaration.ts";
import { files } from "../fields.ts";

/** Files of one source. */
export const MOST_FILES = 5000;

export const declaration = declare({
  type: "file",
  name: "Files",
  icon: "M15 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V7ZM14 2v4a2 2 0 0 0 2 2h4M10 9H8M16 13H8M16 17H8",
  origin: "team",
  settings: { fileIds: files({ most: MOST_FILES }) },
  credentials: {},
  login: "never",
  addresses: [],
  schedules: [],
  reads: ["text"],
  kinds: [],
});
