/** Names the AWS account that this machine plays: one that nobody has. */
export const accountId = '000000000000'

/** Names the AWS region that this machine plays. */
export const region = 'us-east-1'
