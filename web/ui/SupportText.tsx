// Text in which the support address is a link. Server only.
import { Fragment } from "react";
import { useRequest } from "../render/render-context.tsx";

export function SupportText({ text }: { text: string }) {
  const { supportEmail } = useRequest();
  const [first, ...rest] = text.split(supportEmail);
  return (
    <>
      {first}
      {rest.map((part) => (
        <Fragment key={part}>
          <a href={`mailto:${supportEmail}`} className="underline underline-offset-2">
            {supportEmail}
          </a>
          {part}
        </Fragment>
      ))}
    </>
  );
}
