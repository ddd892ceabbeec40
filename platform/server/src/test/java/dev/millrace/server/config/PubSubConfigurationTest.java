package dev.millrace.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.api.http.ChannelConstraint;
import dev.millrace.api.http.ChannelConstraint.Operation;
import dev.millrace.api.http.ChannelLimits;
import dev.millrace.api.http.ChannelServer;
import dev.millrace.api.http.ChannelTransport;
import dev.millrace.network.definition.DeploymentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The {@code http-pubsub} elements. */
@Timeout(60)
class PubSubConfigurationTest
{
    @TempDir
    private Path domain;

    private ServerConfiguration read(final String elements) throws Exception
    {
        write(elements);
        return ServerConfigurationReader.read(domain);
    }

    private void write(final String elements) throws IOException
    {
        Files.createDirectories(domain.resolve("config"));
        Files.writeString(domain.resolve("config/config.xml"), "<n1:config xmlns:n1=\"" +
            "http://www.bea.com/ns/wlevs/config/server\">\n" + elements + "</n1:config>\n");
    }

    private List<String> refused(final String beans) throws IOException
    {
        write("<http-pubsub><name>pubsub</name><path>/pubsub</path><pub-sub-bean>" + beans +
            "</pub-sub-bean></http-pubsub>");
        final DeploymentException refused =
            catchThrowableOfType(DeploymentException.class, () -> ServerConfigurationReader.read(domain));
        assertThat(refused).isNotNull();
        return refused.problems().stream().map(problem -> problem.code() + " " + problem.text()).toList();
    }

    @Test
    void shouldReadElementOfOracleEventProcessing() throws Exception
    {
        final ServerConfiguration configuration = read("""
            <http-pubsub>
              <name>pubsub</name>
              <path>/pubsub</path>
              <pub-sub-bean>
                <server-config>
                  <supported-transport><types><element>long-polling</element></types></supported-transport>
                  <publish-without-connect-allowed>false</publish-without-connect-allowed>
                </server-config>
                <channels>
                  <element><channel-pattern>/evsmonitor</channel-pattern></element>
                  <element><channel-pattern>/stock/**</channel-pattern></element>
                </channels>
                <channel-constraints>
                  <element>
                    <channel-resource-collection>
                      <element>
                        <channel-resource-name>stock</channel-resource-name>
                        <channel-pattern>/stock/*</channel-pattern>
                        <channel-operation>publish</channel-operation>
                      </element>
                    </channel-resource-collection>
                    <auth-constraint><role-name>trader</role-name></auth-constraint>
                  </element>
                </channel-constraints>
              </pub-sub-bean>
            </http-pubsub>
            """);

        final ChannelServer server = configuration.channelServers().get(0);
        assertThat(configuration.channelServers()).hasSize(1);
        assertThat(server.name()).isEqualTo("pubsub");
        assertThat(server.path()).isEqualTo("/pubsub");
        assertThat(server.eventServer()).isNull();
        assertThat(server.transports()).containsExactly(ChannelTransport.LONG_POLLING);
        assertThat(server.channels()).containsExactly("/evsmonitor", "/stock/**");
        assertThat(server.access().isPublishWithoutConnectAllowed()).isFalse();
        assertThat(server.access().isUnauthenticatedAllowed()).isFalse();
        assertThat(server.limits()).isEqualTo(ChannelLimits.STANDARD);
        assertThat(server.constraints()).singleElement().satisfies(constraint ->
        {
            final ChannelConstraint read = constraint;
            assertThat(read.patterns()).containsExactly("/stock/*");
            assertThat(read.operations()).containsExactly(Operation.PUBLISH);
            assertThat(read.roles()).containsExactly("trader");
        });
        assertThat(configuration.notUsedYet()).containsExactly("channel-resource-name (line 18)");
    }

    @Test
    void shouldReadLimitsAndAccess() throws Exception
    {
        final ChannelServer server = read("""
            <http-pubsub><name>a</name><path>/a/b</path><jetty-name>Events</jetty-name><pub-sub-bean><server-config>
              <client-timeout-secs>30</client-timeout-secs><poll-secs>10</poll-secs><max-clients>7</max-clients>
              <max-subscriptions>8</max-subscriptions><max-message-bytes>9</max-message-bytes>
              <max-queue-bytes>2000</max-queue-bytes><retained-bytes>0</retained-bytes>
              <slow-client>lose-messages</slow-client><allow-unauthenticated>true</allow-unauthenticated>
              <allowed-origins><element>https://app.example.org</element></allowed-origins>
            </server-config></pub-sub-bean></http-pubsub>
            """).channelServers().get(0);

        assertThat(server.eventServer()).isEqualTo("Events");
        assertThat(server.limits()).isEqualTo(new ChannelLimits(7, 8, 9, 2_000, 0, false, 30_000, 10_000));
        assertThat(server.access().isUnauthenticatedAllowed()).isTrue();
        assertThat(server.access().allowedOrigins()).containsExactly("https://app.example.org");
        assertThat(server.transports()).containsExactlyInAnyOrder(ChannelTransport.LONG_POLLING,
            ChannelTransport.WEBSOCKET, ChannelTransport.EVENT_STREAM);
    }

    @Test
    void shouldDeclareServerOfOracleEventProcessingByDefault() throws Exception
    {
        assertThat(read("").channelServers()).singleElement().extracting(ChannelServer::path).isEqualTo("/pubsub");
    }

    @Test
    void shouldRefuseWrongElements() throws Exception
    {
        assertThat(refused("<server-config><supported-transport><types><element>smoke</element></types>" +
            "</supported-transport></server-config>")).singleElement().asString()
            .startsWith("SRV-0167").contains("transport=smoke");
        assertThat(refused("<channels><element><channel-pattern>stock</channel-pattern></element></channels>"))
            .singleElement().asString().startsWith("SRV-0167").contains("channel-pattern=stock");
        assertThat(refused("<channels><element><jms-handler-name>x</jms-handler-name></element></channels>"))
            .singleElement().asString().startsWith("SRV-0109").contains("jms-handler-name");
        assertThat(refused("<channel-constraints><element/></channel-constraints>"))
            .singleElement().asString().startsWith("SRV-0167").contains("no channel");
        assertThat(refused("<server-config><slow-client>wait</slow-client></server-config>"))
            .singleElement().asString().startsWith("SRV-0167").contains("slow-client=wait");
        assertThat(refused("</pub-sub-bean></http-pubsub><http-pubsub><name>pubsub</name><path>/x</path>" +
            "<pub-sub-bean>")).singleElement().asString().startsWith("SRV-0104");
    }
}
