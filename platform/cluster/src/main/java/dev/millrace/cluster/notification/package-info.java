/**
 * Groups that are created at run time. A map shared by all members contains the entries, each with a number that is
 * assigned once; the view decides which entries are active, so a member that dies leaves its groups immediately.
 *
 * <pre>
 *   NAME            the last assigned number
 *   NAME/0000042    id of the incarnation that owns number 42
 * </pre>
 *
 * <p>Created by the bundle's activator. Does not depend on the clustering product.
 */
package dev.millrace.cluster.notification;
