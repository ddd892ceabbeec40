package dev.millrace.distribution;

import static dev.millrace.distribution.Product.APPLICATION;
import static dev.millrace.distribution.Product.ASSEMBLY;
import static dev.millrace.distribution.Product.RULES;
import static dev.millrace.distribution.Product.SYMBOLS;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.millrace.distribution.Product.Result;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Deploys valid and invalid applications to one instance; failures of one application do not affect the instance or
 * another application.
 */
@Timeout(300)
class DeploymentIT
{
    @TempDir
    private static Path directory;

    private static final String NEIGHBOUR = "neighbour.app";

    private static RunningInstance instance;

    @BeforeAll
    static void start() throws Exception
    {
        instance = new RunningInstance(directory.resolve("deployment"));
        instance.client.install(Product.changed(directory.resolve("neighbour.jar"), Map.of(
            "META-INF/MANIFEST.MF", text -> text.replaceFirst("(?m)^Bundle-SymbolicName: .*(\\R .*)*",
                "Bundle-SymbolicName: " + NEIGHBOUR),
            ASSEMBLY, text -> text.replace("${loadgen.port}", "0"))));
    }

    @AfterAll
    static void stop()
    {
        instance.close();
    }

    @AfterEach
    void shouldStillServe() throws Exception
    {
        assertThat(instance.client.server().get("state").getAsString()).isEqualTo("RUNNING");
        if (instance.client.applications().size() > 1)
        {
            instance.client.uninstall(APPLICATION);
        }
        assertThat(instance.client.applications()).singleElement()
            .matches(app -> app.getAsJsonObject().get("name").getAsString().equals(NEIGHBOUR));
        final JsonObject figures = adapterOfNeighbour();
        final long before = figures.get("rows").getAsLong();
        try (Socket sender = new Socket(InetAddress.getLoopbackAddress(), figures.get("port").getAsInt()))
        {
            sender.getOutputStream().write("ORCL,10.5\n".getBytes(StandardCharsets.US_ASCII));
        }
        Product.await("a row through the neighbour", 60, () -> adapterOfNeighbour().get("rows").getAsLong() > before);
    }

    private static JsonObject adapterOfNeighbour()
    {
        try
        {
            for (final JsonElement stage : instance.client.statistics(NEIGHBOUR).getAsJsonArray("stages"))
            {
                if (stage.getAsJsonObject().get("id").getAsString().equals("loadgenAdapter"))
                {
                    return stage.getAsJsonObject().getAsJsonObject("own");
                }
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        throw new AssertionError("no figures of the neighbour's adapter");
    }

    @Test
    void shouldGoThroughAllVerbsWhenTheApplicationIsGood() throws Exception
    {
        assertThat(instance.app("list").output()).contains(NEIGHBOUR).doesNotContain(APPLICATION);
        final Result installed = instance.app("install", Product.HOME.signalGeneration());
        assertThat(installed.exitCode()).as(installed.output()).isZero();
        assertThat(installed.output()).contains(APPLICATION).contains("RUNNING");
        assertThat(instance.app("status", APPLICATION).exitCode()).isZero();
        assertThat(instance.app("suspend", APPLICATION).output()).contains("SUSPENDED");
        assertThat(instance.app("resume", APPLICATION).output()).contains("RUNNING");
        final Result updated = instance.app("update", Product.HOME.signalGeneration());
        assertThat(updated.exitCode()).as(updated.output()).isZero();
        assertThat(instance.app("list").output()).contains(APPLICATION).contains("RUNNING");
        assertThat(instance.app("uninstall", APPLICATION).exitCode()).isZero();
        assertThat(instance.app("status", APPLICATION).exitCode()).isEqualTo(2);
    }

    @ParameterizedTest(name = "{0}: {1} instead of {2}")
    @CsvSource(delimiter = '|', value = {
        "rules    | RStrem(           | RStream(            | CQL-",
        "rules    | PATTERN A B)      | PATTERN (A B)       | CQL-",
        "rules    | NoStream[now]     | StockTickStream[now]| CQL-",
        "rules    | T.lastPrise       | T.lastPrice         | CQL-",
        "rules    | <qerry id=        | <query id=          | EPN-",
        "assembly | ref=\"nobody\"    | ref=\"processor1\"  | EPN-",
        "assembly | event-type=\"No\" | event-type=\"StockTick\" | EPN-",
        "assembly | <wlevs:chanel id= | <wlevs:channel id=  | EPN-",
        "assembly | ns/wlevs/sprung   | ns/wlevs/spring     | EPN-"})
    void shouldRefuseWithPlaceAndHintWhenAFileIsWrong(
        final String file, final String wrong, final String right, final String code) throws Exception
    {
        final String entry = "rules".equals(file) ? RULES : ASSEMBLY;
        final Path bundle = Product.changed(
            directory.resolve("bad.jar"), entry, text -> text.replace(right, wrong));
        final Result result = instance.app("install", bundle);
        assertThat(result.exitCode()).as(result.output()).isEqualTo(1);
        assertThat(result.output()).contains(code).containsAnyOf("hint: ", ", expected ").doesNotContain("Exception")
            .containsPattern(entry.substring(entry.lastIndexOf('/') + 1) + ":\\d+:\\d+: ");
    }

    @Test
    void shouldRefuseADoctypeWhenAFileHasOne() throws Exception
    {
        final Path bundle = Product.changed(directory.resolve("doctype.jar"), ASSEMBLY, text ->
            text.replaceFirst("<!--", "<!DOCTYPE beans [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><!--"));
        final Result result = instance.app("install", bundle);
        assertThat(result.exitCode()).as(result.output()).isEqualTo(1);
        assertThat(result.output()).containsIgnoringCase("doctype").contains("hint: ");
    }

    @Test
    void shouldRefuseWithFileAndLineWhenTheSymbolsAreMalformed() throws Exception
    {
        final Path bundle = Product.changed(
            directory.resolve("symbols.jar"), SYMBOLS, text -> text.replaceFirst("\n", "\nONE,TWO\n"));
        final Result result = instance.app("install", bundle);
        assertThat(result.exitCode()).as(result.output()).isEqualTo(1);
        assertThat(result.output()).contains("symbols.txt line=2");
    }

    @Test
    void shouldRefuseWithTheFileWhenTheSymbolsAreMissing() throws Exception
    {
        final Path bundle = Product.changed(directory.resolve("missing.jar"), ASSEMBLY, text ->
            text.replace("${signalgeneration.symbols:}", directory.resolve("nothing.txt").toString()));
        final Result result = instance.app("install", bundle);
        assertThat(result.exitCode()).as(result.output()).isEqualTo(1);
        assertThat(result.output()).contains("nothing.txt").contains("missing");
    }

    @Test
    void shouldRefuseWithThePortWhenItIsInUse() throws Exception
    {
        try (ServerSocket taken = new ServerSocket(instance.ports.loadgen(), 1, InetAddress.getLoopbackAddress()))
        {
            final Result result = instance.app("install", Product.HOME.signalGeneration());
            assertThat(result.exitCode()).as(result.output()).isEqualTo(1);
            assertThat(result.output()).contains("LDG-0101").contains("port=" + taken.getLocalPort());
        }
    }

    @Test
    void shouldRefuseWhenTheFileIsNoBundle() throws Exception
    {
        final Result result = instance.app("install", Files.writeString(directory.resolve("no.jar"), "no bundle"));
        assertThat(result.exitCode()).as(result.output()).isEqualTo(1);
        assertThat(result.output()).contains("SRV-").contains("hint: ");
        assertThat(instance.app("install", directory.resolve("absent.jar")).exitCode()).isEqualTo(64);
    }

    @Test
    void shouldRefuseWhenCredentialsAreMissingOrWrong() throws Exception
    {
        assertThat(status("")).isEqualTo(401);
        assertThat(status("Bearer 0000")).isEqualTo(401);
        final Result result = Product.millrace("app", "install", Product.HOME.signalGeneration().toString(),
            "--url", instance.domain.url(), "--user", "nobody", "--password=wrong");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output()).contains("SRV-0401");
    }

    private static int status(final String authorization) throws IOException, InterruptedException
    {
        final HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(instance.domain.url() + "/wlevs/apps"));
        if (!authorization.isEmpty())
        {
            request.header("Authorization", authorization);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
    }
}
