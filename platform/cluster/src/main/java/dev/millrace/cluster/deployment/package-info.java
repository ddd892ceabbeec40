/**
 * Deployment to groups. A map shared by all members contains the desired state, one document per application. Each
 * member applies it independently and publishes its result in a second map. A member that was absent applies the
 * documents when it rejoins.
 *
 * <pre>
 *   any member: GroupDeploymentService -- bytes in chunks, then the document --&gt; Documents, Chunks (shared)
 *   each member:  Follower (a thread) -- Documents --&gt; Local --&gt; LocalDeployments, the server's
 *                     `-- what it has done --&gt; Results (shared) --&gt; Answers, where the change was asked for
 * </pre>
 *
 * <p>Created by the bundle's activator. Does not depend on the clustering product.
 */
package dev.millrace.cluster.deployment;
