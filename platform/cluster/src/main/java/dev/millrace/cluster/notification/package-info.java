/**
 * Groups that are made while members run. Who is in one stands in a map that all members share, by a number that is
 * drawn once; who of them is there is a matter of the view, so that a member that dies leaves at once.
 *
 * <pre>
 *   NAME            the number that was drawn last
 *   NAME/0000042    id of the stay of the member that has drawn it
 * </pre>
 *
 * <p>Made by the bundle's activator. No type of the product underneath is seen here.
 */
package dev.millrace.cluster.notification;
