// Owns the schema of an agent's appearance to visitors. Postgres has the same rules (sql/20_agents.sql), because clients may bypass the
// API.
import { z } from "@hono/zod-openapi";
import { refuseAs } from "../../_shared/requests/invalid-fields.ts";
import { isAvatar, MOST_AVATAR_BYTES } from "../../_shared/text/avatars.ts";
import { isPlainText } from "../../_shared/text/plain-text.ts";
import { launcherIcons } from "./launcher-icons.ts";

/** Words that visitors could take for the installation's own pages. Mirrors private.is_agent_address(). */
export const reservedAddresses = new Set(
  `account admin administrator agent agents api app assets auth billing chat chats confirm contact create dashboard demo docs edit
  guides health help home index login logout mail new null official onboarding parley password privacy register root sdk security
  settings sign-in sign-up signup static status support system team teams terms undefined verify widget www`.split(
    /\s+/,
  ),
);

/** Shorter than an id, because both appear in the same places. */
const addressPattern = /^[a-z0-9](?:-?[a-z0-9])+$/;

/** A short address in a path. Validation does not reveal whether an agent has it. */
export const addressRef = z.string().max(32).regex(addressPattern).openapi({ example: "acme-help" });

/** One line, or empty. */
const label = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .refine((text) => text === "" || isPlainText(text), refuseAs("characters"));

const launcher = z.strictObject({
  icon: z.enum(launcherIcons),
  label: label(30).openapi({ description: "Shown next to the icon. Empty: only the icon." }),
});

const fields = {
  name: label(60).openapi({ description: "The name that visitors see. Empty: the agent's name." }),
  color: z
    .string()
    .trim()
    .toLowerCase()
    .refine((text) => /^(#[0-9a-f]{6})?$/.test(text), refuseAs("color"))
    .openapi({
      type: "string",
      example: "#0f766e",
      description:
        "As #rrggbb. Text on it is black or white, whichever is easier to read. Empty: Parley's color.",
    }),
  position: z.enum(["right", "left"]).openapi({ description: "The widget's bottom corner." }),
  address: z
    .string()
    .trim()
    .toLowerCase()
    .max(32)
    .refine((text) => text === "" || (text.length >= 3 && addressPattern.test(text)), refuseAs("slug"))
    .refine((text) => !reservedAddresses.has(text), refuseAs("reserved"))
    .openapi({
      type: "string",
      example: "acme-help",
      description:
        "The agent's page is also at /c/ADDRESS, with 3 to 32 characters. Its last five previous addresses redirect to it. Empty: none.",
    }),
};

export const appearance = z.strictObject({ ...fields, launcher }).openapi("AgentAppearance", {
  description: "The agent's appearance to visitors. Not part of its versions.",
});

export const appearanceUpdate = z.strictObject({ ...fields, launcher: launcher.partial() }).partial();

export const avatarAddress = z.string().nullable().openapi({
  example: "/v1/agents/0198…/avatar?v=9a0364b9e99bb480dd25e1f0284c8555",
  description: "URL of the avatar. A changed image has another URL.",
});

export const newAvatar = z
  .strictObject({
    data: z
      .base64()
      .max(Math.ceil(MOST_AVATAR_BYTES / 3) * 4)
      .refine(isAvatar, refuseAs("avatar"))
      .openapi({ description: "A PNG, JPEG or WebP of at most 128 KiB, in base64." }),
  })
  .openapi("NewAvatar");
