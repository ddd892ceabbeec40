package dev.millrace.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.secret.LoginThrottle;
import dev.millrace.server.fixture.BundleJar;
import dev.millrace.server.fixture.TestInstance;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.Collections;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
@Tag("optimized")
@Timeout(120)
class ManagementEndpointTest
{
    @TempDir
    private static Path directory;

    private static TestInstance instance;

    @BeforeAll
    static void start() throws Exception
    {
        instance = TestInstance.start(TestInstance.newDomain(directory), TestInstance.FELIX);
    }

    @AfterAll
    static void stop() throws Exception
    {
        instance.close();
    }

    @Test
    void shouldRefuseEveryRouteWhenCredentialsAreMissingOrWrong() throws Exception
    {
        final TreeSet<String> seen = new TreeSet<>();
        for (final Route route : ManagementEndpoint.routes(null))
        {
            final String path = route.path().replace("NAME", "some.app").replace("RULE", "some")
                .replace("CONFIGURATION", "some.xml");
            seen.add(route.method() + ' ' + route.path());
            for (final String credentials : new String[] {null, "Bearer 0000", "Basic d2xldnM6d2xldnM=", "Digest x"})
            {
                final HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(instance.url() + path))
                    .method(route.method(), BodyPublishers.ofString("x"));
                if (credentials != null)
                {
                    request.header("Authorization", credentials);
                }
                final TestInstance.Answer answer = instance.send(request.build());
                assertThat(answer.status()).as("%s %s %s", route.method(), path, credentials).isIn(401, 429);
                assertThat(answer.text()).contains("problems", "SRV-04");
            }
        }
        final String processor = "/wlevs/apps/NAME/processors/PROCESSOR";
        assertThat(seen).containsExactly("DELETE /wlevs/apps/NAME",
            "DELETE /wlevs/apps/NAME/configuration/CONFIGURATION", "DELETE " + processor + "/rules/RULE",
            "DELETE /wlevs/events/DATASET", "GET /wlevs/apps", "GET /wlevs/apps/NAME",
            "GET " + processor + "/rule-file", "GET " + processor + "/rules", "GET /wlevs/apps/NAME/progress",
            "GET /wlevs/apps/NAME/recordings",
            "GET /wlevs/apps/NAME/statistics", "GET /wlevs/apps/NAME/versions", "GET /wlevs/events",
            "GET /wlevs/server", "POST /wlevs/apps",
            "POST " + processor + "/rules/RULE/start", "POST " + processor + "/rules/RULE/stop",
            "POST /wlevs/apps/NAME/restart",
            "POST /wlevs/apps/NAME/resume", "POST /wlevs/apps/NAME/rollback",
            "POST /wlevs/apps/NAME/stages/STAGE/playback/start", "POST /wlevs/apps/NAME/stages/STAGE/playback/stop",
            "POST /wlevs/apps/NAME/stages/STAGE/record/start", "POST /wlevs/apps/NAME/stages/STAGE/record/stop",
            "POST /wlevs/apps/NAME/suspend",
            "POST /wlevs/server/shutdown", "PUT /wlevs/apps/NAME",
            "PUT /wlevs/apps/NAME/configuration/CONFIGURATION", "PUT " + processor + "/rule-file",
            "PUT " + processor + "/rules/RULE",
            "PUT " + processor + "/rules/RULE/bindings");
        assertThat(instance.request("GET", "/wlevs/server", new byte[0]).status()).isEqualTo(200);
    }

    @Test
    void shouldAnswerWithStatusAndProblemWhenARequestCannotBeServed() throws Exception
    {
        check("GET", "/wlevs/nothing", 404, "SRV-0404");
        check("GET", "/wlevs/apps/unknown.app", 404, "SRV-0404");
        check("POST", "/wlevs/apps/unknown.app/suspend", 404, "SRV-0404");
        check("GET", "/wlevs/apps/..%2f..%2fetc", 404, "SRV-0404");
        check("DELETE", "/wlevs/server", 405, "SRV-0405");
        assertThat(instance.request("PUT", "/wlevs/apps", new byte[0]).text())
            .contains("method=PUT path=/wlevs/apps", "use GET or POST");
        check("POST", "/wlevs/apps", 422, "SRV-0201");
        check("POST", "/wlevs/apps?group=all", 422, "SRV-0218");
        check("POST", "/wlevs/apps?everywhere", 400, "SRV-0414");
        check("GET", "/wlevs/server?group=all", 400, "SRV-0414");
        check("POST", "/wlevs/apps/a/restart?group=all", 400, "SRV-0414");
        check("GET", "/wlevs/apps/a/recordings", 404, "SRV-0404");
        check("POST", "/wlevs/apps/a/stages/in/record/stop", 404, "SRV-0404");
        check("POST", "/wlevs/apps/a/stages/in/record/start", 400, "SRV-0504");
        check("GET", "/wlevs/events", 422, "EPN-0524");
        check("DELETE", "/wlevs/events/monday", 422, "EPN-0524");
        assertThat(instance.request("POST", "/wlevs/apps/a/stages/in/playback/start",
            "{\"speed\": \"0\"}".getBytes(StandardCharsets.UTF_8)).text()).contains("SRV-0511", "speed=0");
        assertThat(instance.request("POST", "/wlevs/apps/a/stages/in/record/start",
            "{\"from\": \"2026-11-29T10:00:00\", \"to\": \"2026-11-29T10:00:00Z\"}".getBytes(
                StandardCharsets.UTF_8)).text()).contains("SRV-0511", "not later");
        assertThat(instance.request("POST", "/wlevs/apps/a/stages/in/record/start",
            "{\"speed\": \"1\"}".getBytes(StandardCharsets.UTF_8)).text()).contains("SRV-0504", "name=speed");
        check("GET", "/wlevs/apps/a/versions", 400, "SRV-0414");
        check("POST", "/wlevs/apps/a/rollback?group=all&to=last", 400, "SRV-0414");
        check("POST", "/wlevs/apps/a/rollback?to=3", 400, "SRV-0414");
        check("POST", "/wlevs/apps/a/rollback?group=all&to=3", 422, "SRV-0218");
        check("PUT", "/wlevs/apps/a/configuration/a.xml?group=all", 422, "SRV-0218");
    }

    @Test
    void shouldSayWhyABundleCannotBeKept() throws Exception
    {
        final Path applications = instance.domain().resolve("applications");
        final Path incoming = applications.resolve(".incoming");
        Files.deleteIfExists(incoming);
        Files.createFile(incoming);
        try
        {
            check("POST", "/wlevs/apps", 500, "SRV-0498");
        }
        finally
        {
            Files.delete(incoming);
        }
    }

    private static void check(final String method, final String path, final int status, final String code)
        throws Exception
    {
        final TestInstance.Answer answer = instance.request(method, path, new byte[0]);
        assertThat(answer.status()).as("%s %s", method, path).isEqualTo(status);
        assertThat(answer.text()).contains(code);
    }

    @Test
    void shouldKeepPagesOfABrowserOutWhenTheirNameResolvesToThisMachine() throws Exception
    {
        assertThat(raw("GET /wlevs/server HTTP/1.1\r\nHost: evil.example:80\r\n")).startsWith("HTTP/1.1 403");
        assertThat(raw("GET /wlevs/server HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"))
            .startsWith("HTTP/1.1 403");
        assertThat(raw("GET /wlevs/server HTTP/1.1\r\nHost: localhost:1\r\n")).startsWith("HTTP/1.1 200");
    }

    private static String raw(final String head) throws IOException
    {
        final URI url = URI.create(instance.url());
        try (Socket socket = new Socket(url.getHost(), url.getPort()))
        {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write((head + "Authorization: Bearer " + instance.token()
                + "\r\nConnection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void shouldRefuseABodyWhenItIsTooLarge() throws Exception
    {
        final URI url = URI.create(instance.url());
        try (Socket socket = new Socket(url.getHost(), url.getPort()))
        {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(("POST /wlevs/apps HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                + instance.token() + "\r\nContent-Length: 99999999999\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .startsWith("HTTP/1.1 413").contains("SRV-0413");
        }
        final byte[] block = new byte[1 << 20];
        final InputStream endless = new SequenceInputStream(Collections.enumeration(
            Collections.nCopies(66, block).stream().map(ByteArrayInputStream::new).toList()));
        final TestInstance.Answer answer = instance.send(HttpRequest.newBuilder(URI.create(instance.url()
            + "/wlevs/apps")).header("Authorization", "Bearer " + instance.token())
            .POST(BodyPublishers.ofInputStream(() -> endless)).build());
        assertThat(answer.status()).isEqualTo(413);
        assertThat(directory.resolve("var/uploads")).isEmptyDirectory();
    }

    @Test
    void shouldLetAUserOfTheUsersFileInAndSlowGuessingDown() throws Exception
    {
        final byte[] salt = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
        final byte[] hash = UserStore.hash("right horse".toCharArray(), salt, UserStore.ROUNDS);
        final Base64.Encoder base64 = Base64.getEncoder();
        Files.writeString(directory.resolve("config/users"), "# users\nada:pbkdf2-sha256:600000:"
            + base64.encodeToString(salt) + ':' + base64.encodeToString(hash) + "\nweak:pbkdf2-sha256:1:eA==:eA==\n");

        assertThat(basic("ada", "right horse")).isEqualTo(200);
        assertThat(basic("weak", "x")).isEqualTo(401);
        for (int i = 0; i < LoginThrottle.MAX_FAILURES; i++)
        {
            assertThat(basic("ada", "wrong " + i)).isEqualTo(401);
        }
        assertThat(basic("ada", "right horse")).isEqualTo(429);
        assertThat(instance.request("GET", "/wlevs/server", new byte[0]).status()).isEqualTo(200);
    }

    private static int basic(final String user, final String password) throws Exception
    {
        return instance.send(HttpRequest.newBuilder(URI.create(instance.url() + "/wlevs/server"))
            .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(
                (user + ':' + password).getBytes(StandardCharsets.UTF_8))).build()).status();
    }

    @Test
    void shouldKeepTheTokenToTheOwnerWhenItIsWritten() throws Exception
    {
        assertThat(PosixFilePermissions.toString(
            Files.getPosixFilePermissions(directory.resolve("var/admin.token")))).isEqualTo("rw-------");
        assertThat(instance.token()).hasSize(64);
    }

    @Test
    void shouldTellAboutTheInstanceWhenAsked() throws Exception
    {
        final TestInstance.Answer answer = instance.request("GET", "/wlevs/server", new byte[0]);

        assertThat(answer.body().getAsJsonObject().get("name").getAsString()).isEqualTo("test");
        assertThat(answer.body().getAsJsonObject().get("pid").getAsLong()).isEqualTo(ProcessHandle.current().pid());
        assertThat(answer.body().getAsJsonObject().getAsJsonObject("ports").get("management").getAsInt())
            .isEqualTo(URI.create(instance.url()).getPort());
    }

    @Test
    void shouldRunALibraryWhenABundleHasNoAssemblyFile() throws Exception
    {
        final TestInstance.Answer answer = instance.deploy(BundleJar.named("some.library"));
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        assertThat(answer.body().getAsJsonObject().asMap()).containsKeys("name", "version", "state", "waitingFor",
            "error");
        assertThat(Map.of("state", instance.state("some.library"))).containsEntry("state", "RUNNING");
        assertThat(instance.request("DELETE", "/wlevs/apps/some.library", new byte[0]).status()).isEqualTo(200);
    }
}
