export const description = 'Replace lines `from`-`to`, or insert `after` one; named as read shows them: `12:k3f`.';
