// A table of permissions by role, the team's own roles after the system's.
import { Check, Plus } from "lucide-react";
import { Fragment } from "react";
import { useTranslation } from "#translations";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { may, teamPath } from "#web/request/current-team.ts";
import { Button } from "#web/ui/Button.tsx";
import { PeopleHeader } from "../../users/PeopleHeader.tsx";
import { permissionGroups } from "../permission-groups.ts";
import { roleName } from "../role-name.ts";
import type { RolesData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("roles");
  const request = useRequest();
  const { roles } = useData<RolesData>();
  return (
    <>
      <PeopleHeader
        current="roles"
        actions={
          may(request, "roles.write") && (
            <Button
              href={teamPath(request, "roles/create")}
              variant="primary"
              icon={<Plus aria-hidden className="size-4" />}
            >
              {t("list.create")}
            </Button>
          )
        }
      />
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={t("table")}
        className="scroll-x"
      >
        <table className="w-full border-collapse">
          <caption className="sr-only">{t("table")}</caption>
          <thead>
            <tr className="border-line border-b text-sm">
              <th scope="col" className="sticky left-0 h-10 bg-ground pr-4 text-left font-normal text-muted">
                {t("permissionHead")}
              </th>
              {roles.map((role) => (
                <th
                  key={role.id}
                  scope="col"
                  // One width for all: shared out by their words, they would move when the font arrives.
                  className="w-28 min-w-20 whitespace-nowrap px-3 text-center font-medium"
                >
                  {role.system ? (
                    roleName(t, role)
                  ) : (
                    <a
                      href={teamPath(request, `roles/${role.id}`)}
                      className="mx-auto block w-fit max-w-40 truncate rounded-sm text-accent-ink underline underline-offset-2"
                    >
                      {role.name}
                    </a>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {permissionGroups.map(([group, names]) => (
              <Fragment key={group}>
                <tr>
                  <th
                    scope="rowgroup"
                    colSpan={roles.length + 1}
                    className="pt-5 pb-1 text-left font-medium text-sm"
                  >
                    <span className="sticky left-0 bg-ground pr-4">{t(`group.${group}`)}</span>
                  </th>
                </tr>
                {names.map((name) => (
                  <tr key={name} className="border-line border-b hover:bg-sunken">
                    <th
                      scope="row"
                      className="sticky left-0 min-w-44 bg-ground py-2 pr-4 text-left font-normal text-muted text-sm"
                    >
                      {t(`permission.${name}`)}
                    </th>
                    {roles.map((role) => (
                      <td key={role.id} className="px-3 text-center">
                        {role.permissions.includes(name) ? (
                          <Check aria-label={t("may")} className="inline size-4 text-good" />
                        ) : (
                          <span role="img" aria-label={t("mayNot")} className="text-faint">
                            –
                          </span>
                        )}
                      </td>
                    ))}
                  </tr>
                ))}
              </Fragment>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}
