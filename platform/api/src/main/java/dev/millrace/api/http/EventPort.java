package dev.millrace.api.http;

/**
 * A port of an HTTP server for events. Immutable.
 *
 * @param name of the {@code netio} element
 * @param host address to bind
 * @param port number; 0 for any free port
 * @param tls  key and certificates; {@code null} for a port without TLS, which is bound to loopback only
 */
public record EventPort(String name, String host, int port, PortTls tls)
{
}
