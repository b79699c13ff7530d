export { title } from "../../chats/@id/+title.ts";
