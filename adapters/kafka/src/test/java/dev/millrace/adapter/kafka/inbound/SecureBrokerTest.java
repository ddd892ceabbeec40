package dev.millrace.adapter.kafka.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.read.ListAppender;
import dev.millrace.adapter.common.source.Deadline;
import dev.millrace.adapter.kafka.TestBroker;
import dev.millrace.adapter.kafka.TestKeys;
import dev.millrace.adapter.kafka.TestStage;
import dev.millrace.adapter.kafka.TestTopic;
import dev.millrace.adapter.kafka.inbound.RunningSource.Receiver;
import dev.millrace.adapter.kafka.outbound.KafkaSink;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.secret.NamedSecrets;
import dev.millrace.api.stage.EventRejectedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** A broker that requires TLS and a login, with passwords that are secrets of the server. */
@Tag("slow")
@Timeout(90)
class SecureBrokerTest
{
    private static final String USER = "cep";
    private static final String PASSWORD = "right-pa55word";
    private static final String WRONG = "wrong-pa55word";

    @TempDir
    private static Path directory;
    private static TestBroker broker;
    private static Path trusted;
    private static int topics;

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeAll
    static void startBroker() throws Exception
    {
        final Path keys = TestKeys.keyStore(directory, "broker.p12");
        trusted = TestKeys.trustStore(keys);
        broker = TestBroker.secure(directory.resolve("data"), keys, USER, PASSWORD);
    }

    @AfterAll
    static void stopBroker()
    {
        broker.close();
    }

    /** All that the adapter and its clients log. */
    @BeforeEach
    void collectLog()
    {
        log.start();
        for (final String name : List.of("dev.millrace", "org.apache.kafka.clients", "org.apache.kafka.common"))
        {
            final Logger logger = (Logger)LoggerFactory.getLogger(name);
            logger.setLevel(Level.DEBUG);
            logger.setAdditive(false);
            logger.addAppender(log);
        }
    }

    @AfterEach
    void assertThatTheLogContainsNoPassword()
    {
        for (final String name : List.of("dev.millrace", "org.apache.kafka.clients", "org.apache.kafka.common"))
        {
            final Logger logger = (Logger)LoggerFactory.getLogger(name);
            logger.setLevel(null);
            logger.setAdditive(true);
            logger.detachAppender(log);
        }
        final List<String> lines = new ArrayList<>();
        for (final ILoggingEvent event : List.copyOf(log.list))
        {
            lines.add(event.getFormattedMessage());
            for (IThrowableProxy cause = event.getThrowableProxy(); cause != null; cause = cause.getCause())
            {
                lines.add(String.valueOf(cause.getMessage()));
            }
        }
        assertThat(lines).anyMatch(line -> line.contains("sasl.jaas.config = [hidden]"));
        assertThat(lines).noneMatch(
            line -> line.contains(PASSWORD) || line.contains(WRONG) || line.contains(TestKeys.PASSWORD));
    }

    private static Properties client(final Path trustStore)
    {
        final Properties properties = new Properties();
        properties.setProperty("security.protocol", "SASL_SSL");
        properties.setProperty("sasl.mechanism", "SCRAM-SHA-512");
        properties.setProperty("sasl.jaas.config", "org.apache.kafka.common.security.scram.ScramLoginModule " +
            "required username=\"" + USER + "\" password=\"${secret:kafka}\";");
        properties.setProperty("ssl.truststore.location", trustStore.toString());
        properties.setProperty("ssl.truststore.password", "${secret:truststore}");
        return properties;
    }

    private static NamedSecrets secrets(final String login, final String store)
    {
        return Map.of("kafka", login, "truststore", store)::get;
    }

    private static RunningSource source(final NamedSecrets secrets, final String topic, final Path trustStore)
    {
        return new RunningSource(secrets, broker.secureServers(), TestStage.TICK, new Receiver(), source ->
        {
            source.setTopics(topic);
            source.setClientProperties(client(trustStore));
        });
    }

    private static KafkaSink sink(final NamedSecrets secrets, final TestStage stage, final String topic,
        final boolean exactlyOnce)
    {
        final KafkaSink sink = new KafkaSink(secrets);
        sink.setStageContext(stage);
        sink.setServers(broker.secureServers());
        sink.setTopic(topic);
        sink.setExactlyOnce(exactlyOnce);
        sink.setTransactionalId("id-" + topic);
        sink.setAnswerMillis(20_000);
        sink.setMaxRetryMillis(100);
        sink.setCommitMillis(10);
        sink.setClientProperties(client(trusted));
        sink.afterPropertiesSet();
        sink.afterConfigurationActive();
        return sink;
    }

    private static String topic() throws Exception
    {
        final String name = "secure-" + ++topics;
        broker.createTopic(name, 1, Map.of());
        return name;
    }

    private static EventBatch ticks()
    {
        return TestStage.numbered(TestStage.ticks(1, 100), "p", 1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldWriteAndReadWithThePasswordsOfSecrets(final boolean exactlyOnce) throws Exception
    {
        final String topic = topic();
        final KafkaSink sink =
            sink(secrets(PASSWORD, TestKeys.PASSWORD), new TestStage(TestStage.TICK), topic, exactlyOnce);
        sink.onBatch(ticks());
        sink.destroy();
        assertThat(TestTopic.read(broker, topic, 100)).hasSize(100);
        try (RunningSource source = source(secrets(PASSWORD, TestKeys.PASSWORD), topic, trusted).start())
        {
            source.awaitRows(100);
            assertThat(source.stage.raised).isEmpty();
        }
    }

    @Test
    void shouldReportALoginThatTheBrokersRejectAndStopWhileItIsRejected() throws Exception
    {
        final String topic = topic();
        try (RunningSource source = source(secrets(WRONG, TestKeys.PASSWORD), topic, trusted).start())
        {
            source.await("the report", () -> source.stage.raised.containsKey("KAF-0104"));
            assertThat(source.stage.raised.get("KAF-0104")).contains("login", broker.secureServers(),
                "invalid credentials").doesNotContain(WRONG, PASSWORD);
            assertThat((String)source.figures().get("trouble")).contains("KAF-0104").doesNotContain(WRONG);
        }
    }

    @Test
    void shouldReportASinkWhoseLoginTheBrokersReject() throws Exception
    {
        final TestStage stage = new TestStage(TestStage.TICK);
        final KafkaSink sink = sink(secrets(WRONG, TestKeys.PASSWORD), stage, topic(), false);
        final List<Throwable> failures = new ArrayList<>();
        final Thread channel = new Thread(() ->
        {
            try
            {
                sink.onBatch(ticks());
            }
            catch (final EventRejectedException e)
            {
                failures.add(e);
            }
        });
        channel.start();
        final Deadline deadline = Deadline.afterMillis(60_000);
        while (!stage.raised.containsKey("KAF-0104"))
        {
            assertThat(deadline.hasPassed()).as("raised: %s", stage.raised).isFalse();
            TimeUnit.MILLISECONDS.sleep(1);
        }
        assertThat(stage.raised.get("KAF-0104")).contains("login", "invalid credentials").doesNotContain(WRONG);
        sink.destroy();
        channel.join();
        assertThat(failures).singleElement().asString().contains("KAF-0118").doesNotContain(WRONG);
    }

    @Test
    void shouldRefuseToStartATransactionalSinkWhoseLoginTheBrokersReject() throws Exception
    {
        final KafkaSink sink =
            sink(secrets(WRONG, TestKeys.PASSWORD), new TestStage(TestStage.TICK), topic(), true);
        assertThatThrownBy(() -> sink.receivedFrom("p")).hasMessageContainingAll("KAF-0116", "invalid credentials")
            .message().doesNotContain(WRONG);
        sink.destroy();
    }

    @Test
    void shouldReportABrokerWhoseCertificateIsNotTrusted() throws Exception
    {
        final Path other = TestKeys.trustStore(TestKeys.keyStore(directory, "other.p12"));
        try (RunningSource source = source(secrets(PASSWORD, TestKeys.PASSWORD), topic(), other).start())
        {
            source.await("the report", () -> source.stage.raised.containsKey("KAF-0104"));
            assertThat(source.stage.raised.get("KAF-0104")).contains("certificate", "ssl.truststore");
        }
    }

    @Test
    void shouldRefuseATrustStoreThatCannotBeOpened()
    {
        assertThatThrownBy(() -> source(secrets(PASSWORD, WRONG), "any", trusted))
            .hasMessageContainingAll("KAF-0102", "clientProperties", trusted.toString())
            .message().doesNotContain(WRONG, PASSWORD);
    }

    @Test
    void shouldRefuseASecretThatDoesNotExist()
    {
        assertThatThrownBy(() -> source(name -> null, "any", trusted)).hasMessageContainingAll("KAF-0101", "secret");
        source(secrets(PASSWORD, TestKeys.PASSWORD), "any", trusted).close();
    }
}
