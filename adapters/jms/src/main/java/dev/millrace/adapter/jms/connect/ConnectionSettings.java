package dev.millrace.adapter.jms.connect;

import java.util.Map;

/**
 * How an adapter connects. Immutable; {@link #toString} contains no password.
 *
 * @param factory           a connection factory of the application; {@code null} for none
 * @param factoryClass      class of the connection factory; {@code null} if JNDI or the application provides it
 * @param factoryUrl        argument of its constructor; {@code null} for none
 * @param factoryProperties values of its setters
 * @param jndiFactory       class of the JNDI implementation; {@code null} without JNDI
 * @param jndiUrl           where JNDI looks names up; {@code null} for the default of the implementation
 * @param jndiProperties    further properties of JNDI
 * @param connectionName    JNDI name of the connection factory
 * @param jndiUser          user of JNDI; {@code null} for none
 * @param jndiPassword      its password
 * @param user              user of the connection; {@code null} for none
 * @param password          its password
 * @param clientId          id of the connection; {@code null} for none
 */
public record ConnectionSettings(Object factory, String factoryClass, String factoryUrl,
    Map<String, String> factoryProperties, String jndiFactory, String jndiUrl, Map<String, String> jndiProperties,
    String connectionName, String jndiUser, String jndiPassword, String user, String password, String clientId)
{
    @Override
    public String toString()
    {
        return (jndiFactory != null ? "jndiFactory=" + jndiFactory + " jndiProviderUrl=" + jndiUrl +
            " connectionJndiName=" + connectionName : factoryClass != null ? "connectionFactoryClass=" + factoryClass +
            " brokerUrl=" + factoryUrl : "connectionFactory=" + factory) + (user == null ? "" : " user=" + user);
    }
}
