/**
 * The file of a bundle, before anything is loaded from it: whether it is whole, signed by somebody who is trusted, and
 * different from another one.
 *
 * <p>Who may call: the deployment. Threads: any; nothing here has state.
 */
package dev.millrace.server.bundle;
