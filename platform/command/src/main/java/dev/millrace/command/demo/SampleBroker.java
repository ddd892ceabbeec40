package dev.millrace.command.demo;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.List;

/** The kind of broker that a sample needs. */
public enum SampleBroker
{
    /** None. */
    NONE,
    /** A Kafka broker, which is not part of the product. */
    KAFKA,
    /** A broker of MQTT; the product contains a small one. */
    MQTT;

    /** The address at which a Kafka broker of this machine listens by default. */
    public static final String DEFAULT_KAFKA = "127.0.0.1:9092";
    private static final int CONNECT_MS = 3000;

    /**
     * Checks that a Kafka broker listens.
     *
     * @param servers addresses HOST:PORT, separated by commas
     * @return arguments for the start script of the instance
     */
    static List<String> kafka(final String servers)
    {
        String reason = "";
        for (final String server : servers.split(","))
        {
            reason = refusal("tcp://" + server.strip());
            if (reason.isEmpty())
            {
                return List.of("-Dkafka.servers=" + servers);
            }
        }
        throw new CommandException(ExitCode.FAILED, "CMD-0291",
            "no Kafka broker, --bootstrap=" + servers + " reason=" + reason,
            "start one, for example with: docker run --rm -p 9092:9092 apache/kafka" +
            "; or select another with --bootstrap HOST:PORT");
    }

    /**
     * Checks that a broker of MQTT listens.
     *
     * @param url such as {@code tcp://broker:1883}
     * @return arguments for the start script of the instance
     */
    static List<String> mqtt(final String url)
    {
        final String reason = refusal(url);
        if (!reason.isEmpty())
        {
            throw new CommandException(ExitCode.FAILED, "CMD-0292", "no MQTT broker, --broker=" + url + " reason=" +
                reason, "correct it, as in --broker tcp://HOST:1883; without --broker, the command starts one");
        }
        return List.of("-Dmqtt.url=" + url);
    }

    /** Returns why there is no connection to an address; empty if there is one. */
    private static String refusal(final String url)
    {
        try (Socket socket = new Socket())
        {
            final URI address = URI.create(url);
            if (address.getHost() == null || address.getPort() < 1)
            {
                return "not HOST:PORT";
            }
            socket.connect(new InetSocketAddress(address.getHost(), address.getPort()), CONNECT_MS);
            return "";
        }
        catch (final IOException | IllegalArgumentException e)
        {
            return e.getMessage();
        }
    }
}
