package dev.millrace.adapter.http.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.adapter.http.TestCertificate;
import dev.millrace.adapter.http.TestStage;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventRejectedException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The sink at a receiver with TLS. */
@Tag("slow")
@Timeout(180)
class SecureReceiverTest
{
    private static final String DOMAIN = "wlevs.domain.home";
    @TempDir
    private Path directory;
    private SSLContext before;
    private final TestStage stage = new TestStage(TestStage.TICK);

    @BeforeEach
    void keepTrust() throws Exception
    {
        before = SSLContext.getDefault();
        System.setProperty(DOMAIN, directory.toString());
    }

    @AfterEach
    void restoreTrust()
    {
        SSLContext.setDefault(before);
        System.clearProperty(DOMAIN);
    }

    private RestSink sink(final String url) throws Exception
    {
        final RestSink sink = new RestSink(name -> null);
        sink.setStageContext(stage);
        sink.setUrl(url);
        sink.setMaxRetryMillis(10);
        sink.afterPropertiesSet();
        sink.afterConfigurationActive();
        return sink;
    }

    private static EventBatch tick()
    {
        final EventBatch batch = new EventBatch(new BatchSchema(TestStage.TICK));
        batch.longs(0)[0] = 1;
        batch.texts(1).set(0, "S");
        batch.doubles(2)[0] = 0.5;
        batch.size(1);
        return batch;
    }

    @Test
    void shouldSendRowsToReceiverWhoseCertificateIsTrusted() throws Exception
    {
        final TestCertificate certificate = new TestCertificate(directory, "receiver", "IP:127.0.0.1");
        SSLContext.setDefault(certificate.trusted());
        try (TestReceiver receiver = new TestReceiver(0, certificate.trusting(certificate)))
        {
            final RestSink sink = sink(receiver.url());
            sink.onBatch(tick());
            assertThat(receiver.requests()).singleElement().extracting(TestReceiver.Received::body).asString()
                .contains("\"id\":1");
            assertThat(sink.statistics()).containsEntry("rows", 1L).containsEntry("retried", 0L);
            sink.destroy();
        }
    }

    @Test
    void shouldWaitWhileCertificateOfReceiverIsNotTrusted() throws Exception
    {
        final TestCertificate certificate = new TestCertificate(directory, "receiver", "IP:127.0.0.1");
        refuses(certificate, new TestCertificate(directory, "other", "IP:127.0.0.1"));
    }

    @Test
    void shouldWaitIfCertificateOfReceiverIsThatOfAnotherHost() throws Exception
    {
        final TestCertificate certificate = new TestCertificate(directory, "receiver", "DNS:other.example.org");
        refuses(certificate, certificate);
    }

    private void refuses(final TestCertificate certificate, final TestCertificate trusted) throws Exception
    {
        SSLContext.setDefault(trusted.trusted());
        try (TestReceiver receiver = new TestReceiver(0, certificate.trusting(certificate)))
        {
            final RestSink sink = sink(receiver.url());
            final CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> send(sink));
            while (!stage.raised.containsKey("HTP-0111"))
            {
                assertThat(sent).isNotDone();
                TimeUnit.MILLISECONDS.sleep(1);
            }
            assertThat(stage.raised.get("HTP-0111")).contains("SSLHandshakeException");
            assertThat(receiver.requests()).isEmpty();
            sink.destroy();
            assertThatThrownBy(() -> sent.get(60, TimeUnit.SECONDS)).hasMessageContaining("HTP-0113");
        }
    }

    private static void send(final RestSink sink)
    {
        try
        {
            sink.onBatch(tick());
        }
        catch (final EventRejectedException e)
        {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }
}
