// Owns the endpoints for users: their own account, their teammates and, for platform admins, everyone.
import { asCaller, readAsCaller } from "../../_shared/database/db.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import { createAccount } from "../auth/sessions.ts";
import { routes } from "../route.ts";
import { adminClaims, json, jsonBody, oneById, pageOf, router, userOf } from "../router.ts";
import { administer } from "./administration.ts";
import * as queries from "./queries.ts";
import { newUser, user, usersQuery, userUpdate } from "./schema.ts";

const route = routes({ tags: ["Users"] });

/** Mounted at /v1/users. */
export const users = router()
  .openapi(
    route({
      method: "get",
      path: "/",
      summary: "List users: the caller, their teammates and, for platform admins, everyone",
      request: { query: usersQuery },
      responses: { 200: json(pageOf(user)) },
    }),
    async (c) =>
      c.json(await readAsCaller(adminClaims(c), (tx) => queries.listUsers(tx, c.req.valid("query"))), 200),
  )
  .openapi(
    route({
      method: "post",
      path: "/",
      access: "user",
      summary: "Create an account",
      description: "For platform admins. The person confirms the email as after a registration.",
      request: { body: jsonBody(newUser) },
      responses: { 201: json(user, "Created") },
    }),
    async (c) => {
      const { isAdmin, ...values } = c.req.valid("json");
      const caller = userOf(c);
      if (!(await asCaller(adminClaims(c), queries.isPlatformAdmin))) throw new ApiError("FORBIDDEN");
      const { user: created } = await createAccount(values);
      if (!isAdmin) return c.json(created, 201);
      await asCaller(adminClaims(c), (tx) => administer(tx, caller.id, created.id, { isAdmin }));
      return c.json({ ...created, isAdmin }, 201);
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/{id}",
      summary: "Read a user",
      request: { params: oneById },
      responses: { 200: json(user) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const row = await readAsCaller(adminClaims(c), (tx) => queries.readUser(tx, id));
      if (!row) throw new ApiError("USER_NOT_EXISTS");
      return c.json(row, 200);
    },
  )
  .openapi(
    route({
      method: "put",
      path: "/{id}",
      access: "user",
      summary: "Update a user",
      description: "Users update their own name and language; platform admins any account.",
      request: { params: oneById, body: jsonBody(userUpdate) },
      responses: { 200: json(user) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const { isAdmin, banned, ...values } = c.req.valid("json");
      const caller = userOf(c);
      const forAdmins = id !== caller.id || isAdmin !== undefined || banned !== undefined;
      await asCaller(adminClaims(c), async (tx) => {
        if (!(await queries.readUser(tx, id))) throw new ApiError("USER_NOT_EXISTS");
        if (forAdmins && !(await queries.isPlatformAdmin(tx))) throw new ApiError("FORBIDDEN");
        if (id === caller.id) await queries.updateUser(tx, id, values);
        if (forAdmins)
          await administer(tx, caller.id, id, { ...(id !== caller.id && values), isAdmin, banned });
      });
      const row = await readAsCaller(adminClaims(c), (tx) => queries.readUser(tx, id));
      if (!row) throw new ApiError("USER_NOT_EXISTS");
      return c.json(row, 200);
    },
  )
  .openapi(
    route({
      method: "delete",
      path: "/{id}",
      access: "user",
      summary: "Delete an account",
      description:
        "Users delete their own account; platform admins any. A team's last owner must transfer it first.",
      request: { params: oneById },
      responses: { 204: { description: "Deleted" } },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      await asCaller(adminClaims(c), async (tx) => {
        if (!(await queries.readUser(tx, id))) throw new ApiError("USER_NOT_EXISTS");
        await queries.deleteUser(tx, id);
      });
      return c.body(null, 204);
    },
  );
