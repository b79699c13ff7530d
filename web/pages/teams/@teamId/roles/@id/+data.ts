// One role.
import type { PageContextServer } from "vike/types";
import type { Role } from "../../../../../server/api-types.ts";

export interface RoleData {
  role: Role;
}

export async function data({ request, routeParams }: PageContextServer): Promise<RoleData> {
  return { role: await request.api.get("/v1/roles/{id}", { id: routeParams.id ?? "" }) };
}
