/**
 * Checks of a bundle's file before anything is loaded from it: whether it is complete, signed by a trusted signer, and
 * different from another bundle.
 *
 * <p>Callers: the deployment. Threads: any; nothing here has state.
 */
package dev.millrace.server.bundle;
