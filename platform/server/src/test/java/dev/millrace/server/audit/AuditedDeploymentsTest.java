package dev.millrace.server.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.server.spi.ApplicationSettings;
import dev.millrace.server.spi.LocalDeployments;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class AuditedDeploymentsTest
{
    @TempDir
    private Path directory;

    private final List<String> done = new ArrayList<>();

    /** Records the changes; uninstalling fails. */
    private LocalDeployments deployments()
    {
        return (LocalDeployments)Proxy.newProxyInstance(getClass().getClassLoader(),
            new Class<?>[] {LocalDeployments.class}, (proxy, method, arguments) ->
            {
                if (method.getName().equals("uninstall"))
                {
                    throw new DeploymentException("SRV-0213", SourcePosition.NONE, "does not let go", "try again");
                }
                done.add(method.getName());
                return null;
            });
    }

    @Test
    void shouldWriteWhatAGroupChangesHere() throws Exception
    {
        try (AuditLog log = AuditLog.open(directory))
        {
            final LocalDeployments audited = new AuditedDeployments(deployments(), log);
            audited.install(InputStream.nullInputStream(), "one.jar", false, ApplicationSettings.NONE, 0);
            audited.setSuspended("one.app", true);
            assertThatThrownBy(() -> audited.uninstall("one.app")).isInstanceOf(DeploymentException.class);
        }

        final String user = "\"user\":\"cluster\",\"peer\":\"-\",\"target\":";
        assertThat(Files.readAllLines(directory.resolve("audit.log")))
            .map(line -> line.substring(line.indexOf(",") + 1)).containsExactly(
                "\"event\":\"app.install\"," + user + "\"one.jar\",\"result\":\"begun\",\"code\":null}",
                "\"event\":\"app.install\"," + user + "\"one.jar\",\"result\":\"done\",\"code\":null}",
                "\"event\":\"app.suspend\"," + user + "\"one.app\",\"result\":\"begun\",\"code\":null}",
                "\"event\":\"app.suspend\"," + user + "\"one.app\",\"result\":\"done\",\"code\":null}",
                "\"event\":\"app.uninstall\"," + user + "\"one.app\",\"result\":\"begun\",\"code\":null}",
                "\"event\":\"app.uninstall\"," + user
                    + "\"one.app\",\"result\":\"refused\",\"code\":\"SRV-0213\"}");
    }

    @Test
    void shouldRefuseAChangeWhenItCannotBeWritten() throws IOException
    {
        Files.createDirectories(directory.resolve("audit.10.log/full"));
        Files.createFile(directory.resolve("audit.9.log"));
        Files.write(directory.resolve("audit.log"), new byte[(int)AuditLog.MAX_FILE_BYTES]);
        try (AuditLog log = AuditLog.open(directory))
        {
            final LocalDeployments audited = new AuditedDeployments(deployments(), log);

            assertThatThrownBy(() -> audited.setSuspended("one.app", true)).hasMessageContaining("SRV-0412");
            assertThat(done).isEmpty();
        }
    }
}
