/**
 * The data sources of {@code config.xml}: connection pools, by name.
 *
 * <pre>
 *   config.xml ─► DataSourceSettings ─► DataSources ─► pool ─► DriverDataSource ─► driver of a bundle
 *                                          └─► service javax.sql.DataSource, type = name and JNDI names
 * </pre>
 *
 * <p>Callers: the activator; applications use the services. Threads: all. A server starts even when its databases are
 * unavailable, because connections are created on demand.
 */
package dev.millrace.server.datasource;
