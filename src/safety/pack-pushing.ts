/** Ways to overwrite or remove what a remote has, by the words of a command. Settings and requests are the table of programs’ to tell. */

/** Programs that push as Git does. */
const pushers = ['git push', 'git-push', 'hub push'];
const senders = ['git send-pack', 'git-send-pack', 'git http-push', 'git-http-push'];

/** Long options may be cut short, short ones joined. */
const ofPush = '-f* -?f -?f? -??f -d* -?d --for* --m* --de* --pru* +?* :?*'.split(' ');
const ofSending = ['--for*', '-f', '--mirror', '-D', '-d', '+?*', ':?*'];

export const forcePushes: readonly string[] = [
  ...pushers.flatMap((program) => ofPush.map((option) => `${program} * ${option} *`)),
  ...senders.flatMap((program) => ofSending.map((option) => `${program} * ${option} *`)),
  'git remote add * --mirror *',
  'git remote add * --mirror=push *',
  'gh repo sync * --force *',
  'gh repo delete *',
  'glab repo delete *',
  ...['*DELETE', '*delete'].flatMap((method) => [
    `glab api * ${method} * *repository/branches* *`,
    `glab api * *repository/branches* * ${method} *`,
  ]),
  'hg push * --force *',
  'hg push * -f *',
  'jj git push * --deleted *',
  'jj git push * --allow-backwards *',
];
