/**
 * The bundle: joins when the instance's config.xml says so, and offers the {@link dev.millrace.cluster.Cluster} as a
 * service. Called by the framework; what it registers is called by any thread.
 */
package dev.millrace.cluster.instance;
