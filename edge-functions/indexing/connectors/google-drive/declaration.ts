// What a Google Drive source is set up with. What it may read is what is shared with its account.
import { type ConfigOf, declare, schedules } from "../declaration.ts";
import { address, flag, googleKey, list } from "../fields.ts";

export const declaration = declare({
  type: "googleDrive",
  name: "Google Drive",
  icon: "M8 3h8l6 11-4 7H6l-4-7zM8 3l6 11H2M16 3l-6 11h12",
  origin: "service",
  settings: {
    /** Ids of folders and shared drives, with all that lies below them; everything that the account sees when empty. */
    folders: list({
      // No id of ours, which looks much like one.
      pattern: "(?![0-9a-f]{8}-)[A-Za-z0-9_-]{13,100}",
      most: 50,
      message: "This is not the address or the ID of a folder.",
      placeholder: "https://drive.google.com/drive/folders/1a2B3c…",
      keep: (entry) =>
        /^https:\/\/drive\.google\.com\/.*\/folders\/([A-Za-z0-9_-]+)/.exec(entry)?.[1] ?? entry,
    }),
    /** Pictures among the files, each of which a model reads. */
    withPictures: flag(),
    /** Where Google's APIs are: everyone's but a test's. */
    apiUrl: address({ suffix: ".googleapis.com", preset: "https://www.googleapis.com" }),
  },
  credentials: { key: googleKey() },
  login: "required",
  addresses: ["apiUrl"],
  schedules,
  reads: ["docs", "files", "drives"],
  kinds: ["files"],
});
export type GoogleDriveConfig = ConfigOf<typeof declaration>;
