// Owns a fake Amazon SNS: it signs messages as SNS does, with a certificate of its own, and serves that certificate at the URL in the
// messages. Does not know its receivers.
import { createSign, generateKeyPairSync, type KeyObject, randomBytes, randomUUID } from "node:crypto";

export type SnsFake = {
  topic: string;
  /** A signed notification, as the body that SNS posts. */
  notification(message: unknown, changes?: Changes): Record<string, string>;
  confirmation(changes?: Changes): Record<string, string>;
  /** Stands in for the network: fetches from the fake's URLs. */
  read(url: URL): Promise<{ status: number; text: string }>;
  /** The URLs that were fetched. */
  readings: string[];
};

/** Fields changed before signing, such as another SignatureVersion, Timestamp or SigningCertURL. */
export type Changes = Record<string, string>;

const region = "eu-west-3";
const host = `sns.${region}.amazonaws.com`;
const hashes: Record<string, string> = { "1": "RSA-SHA1", "2": "RSA-SHA256" };

export function startSnsFake(topic = `arn:aws:sns:${region}:123456789012:mail`): SnsFake {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const certUrl = `https://${host}/SimpleNotificationService-${randomBytes(16).toString("hex")}.pem`;
  const pem = certificate(publicKey, privateKey);
  const readings: string[] = [];
  const common = () => ({
    MessageId: randomUUID(),
    TopicArn: topic,
    Timestamp: new Date().toISOString(),
    SignatureVersion: "1",
    SigningCertURL: certUrl,
  });
  return {
    topic,
    readings,
    notification: (message, changes = {}) =>
      sign(
        {
          Type: "Notification",
          ...common(),
          Message: typeof message === "string" ? message : JSON.stringify(message),
          UnsubscribeURL: `https://${host}/?Action=Unsubscribe&SubscriptionArn=${topic}:1`,
          ...changes,
        },
        privateKey,
      ),
    confirmation: (changes = {}) => {
      const Token = randomBytes(64).toString("hex");
      const query = new URLSearchParams({ Action: "ConfirmSubscription", TopicArn: topic, Token });
      const Message = `You have chosen to subscribe to the topic ${topic}.\nTo confirm, visit the SubscribeURL.`;
      const SubscribeURL = `https://${host}/?${query}`;
      return sign(
        { Type: "SubscriptionConfirmation", ...common(), Token, Message, SubscribeURL, ...changes },
        privateKey,
      );
    },
    read: async (url) => {
      readings.push(url.href);
      if (url.href === certUrl) return { status: 200, text: pem };
      const confirms = url.host === host && url.searchParams.get("Action") === "ConfirmSubscription";
      return confirms ? { status: 200, text: "<ConfirmSubscriptionResponse/>" } : { status: 404, text: "" };
    },
  };
}

/** Signs the fields that SNS signs for each kind of message, in alphabetical order. */
function sign(message: Record<string, string>, key: KeyObject): Record<string, string> {
  const left = ["SignatureVersion", "SigningCertURL", "UnsubscribeURL"];
  if (message.Type === "Notification") left.push("SubscribeURL", "Token");
  const text = Object.entries(message)
    .filter(([name]) => !left.includes(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}\n${value}\n`)
    .join("");
  const hash = hashes[message.SignatureVersion ?? ""] ?? "RSA-SHA256";
  return { ...message, Signature: createSign(hash).update(text, "utf8").sign(key, "base64") };
}

/** A self-signed certificate for one day. DER by hand (RFC 5280, section 4.1): Node only reads certificates. */
function certificate(publicKey: KeyObject, privateKey: KeyObject, from = Date.now()): string {
  const sha256WithRsa = sequence(Buffer.from("06092a864886f70d01010b", "hex"), Buffer.from("0500", "hex"));
  const commonName = sequence(Buffer.from("0603550403", "hex"), der(0x0c, Buffer.from("sns.amazonaws.com")));
  const name = sequence(der(0x31, commonName));
  const dayMs = 24 * 60 * 60 * 1000;
  const time = (at: number) =>
    der(0x18, Buffer.from(`${new Date(at).toISOString().replace(/[-:T]|\.\d+/g, "")}`));
  const body = sequence(
    der(0xa0, Buffer.from("020102", "hex")),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    sha256WithRsa,
    name,
    sequence(time(from - dayMs), time(from + dayMs)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
  );
  const signature = createSign("RSA-SHA256").update(body).sign(privateKey);
  const whole = sequence(body, sha256WithRsa, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = whole.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}

const sequence = (...parts: Buffer[]) => der(0x30, Buffer.concat(parts));

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
