// Declares the settings of a Google Drive source. It can read what is shared with its account.
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import { type ConfigOf, declare, schedules } from "../declaration.ts";
import { address, flag, googleKey, list } from "../fields.ts";

export const declaration = declare({
  type: "googleDrive",
  name: "Google Drive",
  icon: "M8 3h8l6 11-4 7H6l-4-7zM8 3l6 11H2M16 3l-6 11h12",
  origin: "service",
  settings: {
    /** Ids of folders and shared drives, including everything below them; when empty, everything that the account sees. */
    folders: list({
      // Excludes our own ids, which look similar.
      pattern: "(?![0-9a-f]{8}-)[A-Za-z0-9_-]{13,100}",
      most: 50,
      message: sentenceOf("googleDriveFolder"),
      placeholder: "https://drive.google.com/drive/folders/1a2B3c…",
      keep: (entry) =>
        /^https:\/\/drive\.google\.com\/.*\/folders\/([A-Za-z0-9_-]+)/.exec(entry)?.[1] ?? entry,
    }),
    /** Reads pictures among the files, each with a model call. */
    withPictures: flag(),
    /** The address of Google's APIs; only tests use another. */
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
