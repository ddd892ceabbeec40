/**
 * The data sources of {@code config.xml}: pools of connections, by name.
 *
 * <pre>
 *   config.xml ─► DataSourceSettings ─► DataSources ─► pool ─► DriverDataSource ─► driver of a bundle
 *                                          └─► service javax.sql.DataSource, type = name and JNDI names
 * </pre>
 *
 * <p>Who may call: the activator; applications get the services. Threads: all. A server starts while its databases are
 * down: connections are made when somebody asks for one.
 */
package dev.millrace.server.datasource;
