/**
 * What keeps strangers away from the ports of a cluster: a certificate made of the domain's secret, TLS that only its
 * holders pass, and bounds for connections that have proved nothing.
 */
package dev.millrace.cluster.trust;
