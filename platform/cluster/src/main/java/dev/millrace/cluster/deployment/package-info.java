/**
 * Deployment to groups. What is wanted stands in a map that all members share, one document an application; each member
 * follows it by itself and says how far it is in a second map. Whoever is away follows when it comes back.
 *
 * <pre>
 *   any member: GroupChanges -- bytes in chunks, then the document --&gt; Documents, Chunks (shared)
 *   each member:  Follower (a thread) -- Documents --&gt; Local --&gt; LocalDeployments, the server's
 *                     `-- what it has done --&gt; Results (shared) --&gt; Answers, where the change was asked for
 * </pre>
 *
 * <p>Made by the bundle's activator. No type of the product underneath is seen here.
 */
package dev.millrace.cluster.deployment;
