/** SHA-256 of the programs in native/, written by scripts/build-native.mjs. */
export const nativePins: { readonly [program: string]: string } = {
  'arm64/confine': '19e811fe9f35168d0f452ec1b9819126b60dbf9780c7799d1101103ee54784f3',
  'arm64/egress-relay': 'cc6a9e9ffb192f304434b950e039a70d6bba4bc7c94c72692323835c1af6d598',
  'x64/confine': 'ce38dcb36cbe4a17822acac4ca33c3b8d15ac64aaaba7102a802216cb7f3afd0',
  'x64/egress-relay': '390e683079cc61c176b5f3059c6a5e90ecfbd6f7a48adb5449227ef65ba78776',
};
