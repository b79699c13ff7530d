// Owns the schemas of users.

import { z } from "@hono/zod-openapi";
import { languageCodes } from "../../../locales/registry.ts";
import { refuseAs } from "../../_shared/requests/invalid-fields.ts";
import { id, idList, line, newEmail, pageQuery, teamRef, times } from "../router.ts";

export const locale = z.enum(languageCodes);
export const userName = line(200).openapi({ example: "Ada Lovelace" });

/** 8 to 72 characters; the auth server hashes at most 72 bytes of them. */
export const newPassword = z
  .string()
  .min(8)
  .max(72)
  .refine((password) => new TextEncoder().encode(password).length <= 72, refuseAs("passwordTooLong"))
  .refine((password) => !password.includes("\0"), refuseAs("characters"))
  .openapi({ format: "password", example: "correct-horse-1" });

export const user = z
  .object({
    id,
    name: z.string().openapi({ example: "Ada Lovelace" }),
    email: z.string().openapi({ example: "ada@example.com" }),
    locale,
    isAdmin: z.boolean().optional().openapi({
      description: "Whether they are a platform admin. Visible to themselves and to platform admins.",
    }),
    banned: z
      .boolean()
      .optional()
      .openapi({ description: "Whether they are banned. Visible only to platform admins." }),
    ...times,
  })
  .openapi("User");
export type User = z.infer<typeof user>;

export const newUser = z
  .strictObject({
    name: userName,
    email: newEmail,
    password: newPassword,
    locale: locale.optional(),
    isAdmin: z.boolean().optional(),
  })
  .openapi("NewUser");

export const userUpdate = z
  .strictObject({
    name: userName,
    locale,
    isAdmin: z.boolean().openapi({ description: "Only platform admins may change this." }),
    banned: z.boolean().openapi({ description: "Only platform admins may change this." }),
  })
  .partial()
  .openapi("UserUpdate");

export const usersQuery = pageQuery.extend({
  email: z.string().max(320).optional().openapi({ description: "The whole email, case-insensitive." }),
  teamId: teamRef.optional().openapi({ param: { name: "teamId", in: "query" } }),
  role: z.string().max(64).optional().openapi({
    description: "A role's codename: users with it in teamId, or in any of the caller's teams.",
  }),
  search: z.string().max(200).optional().openapi({ description: "Part of the name or the email." }),
  ids: idList.optional(),
});
export type UsersQuery = z.infer<typeof usersQuery>;
