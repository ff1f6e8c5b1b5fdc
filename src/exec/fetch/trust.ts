/** Further certificates to trust besides those that Node trusts anyway. */
export async function trust(ca: string | undefined): Promise<{ ca?: string[] }> {
  if (ca === undefined) return {};
  const { getCACertificates } = await import('node:tls');
  return { ca: [...getCACertificates('default'), ca] };
}
