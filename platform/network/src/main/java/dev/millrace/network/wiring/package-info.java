/**
 * Builds networks and checks them.
 */
package dev.millrace.network.wiring;
