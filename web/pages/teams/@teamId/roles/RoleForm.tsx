// A role's name and permissions. Nobody can grant a permission that they lack: those checkboxes are disabled.
import { useTranslation } from "#translations";
import { useRender, useRequest } from "#web/render/render-context.tsx";
import { may, teamPath } from "#web/request/current-team.ts";
import { Button } from "#web/ui/Button.tsx";
import { Form } from "#web/ui/Form.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { permissionGroups } from "./permission-groups.ts";

export interface RoleFormProps {
  name: string;
  permissions: string[];
  submit: string;
}

export function RoleForm({ name, permissions, submit }: RoleFormProps) {
  const { t } = useTranslation("roles");
  const request = useRequest();
  const { form } = useRender();
  const mine = form?.name === "" ? form : undefined;
  const chosen = mine ? (mine.values.permissions ?? []) : permissions;
  return (
    <Form className="space-y-6">
      <FormField
        name="name"
        label={t("name")}
        placeholder={t("placeholder")}
        required
        maxLength={100}
        defaultValue={name}
      />
      <div className="grid gap-x-8 gap-y-6 sm:grid-cols-2">
        {permissionGroups.map(([group, names]) => (
          <fieldset key={group}>
            <legend className="mb-1.5 font-medium text-sm">{t(`group.${group}`)}</legend>
            <ul>
              {names.map((permission) => (
                <li key={permission}>
                  <label className="flex items-start gap-2.5 py-1 has-disabled:text-faint">
                    <input
                      type="checkbox"
                      name="permissions"
                      value={permission}
                      defaultChecked={chosen.includes(permission)}
                      disabled={!may(request, permission)}
                      className="mt-0.5"
                    />
                    {t(`permission.${permission}`)}
                  </label>
                </li>
              ))}
            </ul>
          </fieldset>
        ))}
      </div>
      {mine?.errors.permissions && (
        <p role="alert" className="font-medium text-bad text-sm">
          {mine.errors.permissions}
        </p>
      )}
      <div className="flex gap-2">
        <Button variant="primary">{submit}</Button>
        <Button href={teamPath(request, "roles")} variant="ghost">
          {t("app:cancel")}
        </Button>
      </div>
    </Form>
  );
}
