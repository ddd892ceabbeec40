/**
 * The OSGi bundle: joins the cluster when the instance's config.xml configures one, and registers
 * {@link dev.millrace.cluster.Cluster} as a service. Threads: the framework calls the activator; any thread may call
 * the registered services.
 */
package dev.millrace.cluster.instance;
