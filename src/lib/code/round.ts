/**
 * A number as it is shown: rounded once, decimally, half away from zero, on the shortest decimal text that means this
 * double. So 0.625 shows as 0.63 and 1.005 as 1.01, as everybody who reads the digits expects; a rounded zero has no sign.
 * Numbers are computed unrounded; this is the only place where digits go.
 * @param digits decimals to show, 0 to 20
 */
export function roundHalfUp(value: number, digits: number): string {
  if (!Number.isFinite(value)) return String(value);
  const [mantissa = "", exponent = "0"] = String(Math.abs(value)).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  // All digits of the number, and how many of them stand before the decimal point.
  const all = whole + fraction;
  const point = whole.length + Number(exponent);
  const keep = point + digits;
  const padded = (keep > all.length ? all.padEnd(keep, "0") : all).padStart(
    all.length + Math.max(0, -keep),
    "0",
  );
  const cut = Math.max(0, keep);
  const kept = BigInt(`0${padded.slice(0, cut)}`) + (Number(padded[cut] ?? "0") >= 5 ? 1n : 0n);
  const text = kept.toString().padStart(digits + 1, "0");
  const shown = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  return value < 0 && kept !== 0n ? `-${shown}` : shown;
}
