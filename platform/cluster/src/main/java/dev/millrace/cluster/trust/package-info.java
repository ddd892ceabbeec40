/**
 * Keeps unauthorized processes away from the ports of a cluster: a certificate derived from the domain's secret, TLS
 * that requires it, and limits for connections that have not authenticated yet.
 */
package dev.millrace.cluster.trust;
