package dev.millrace.adapter.loadgen;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/** Key stores, certificates and secret files, created with keytool. */
final class TestKeys
{
    static final String PASSWORD = "not-a-secret";

    private TestKeys()
    {
    }

    /** Creates a file that only its owner may read. */
    static Path secret(final Path file, final String text) throws IOException
    {
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, text);
    }

    /** Creates a key store for localhost. Its certificate in PEM is in the same directory, with the suffix ".pem". */
    static Path keyStore(final Path store) throws IOException, InterruptedException
    {
        keytool(List.of("-genkeypair", "-alias", "port", "-keyalg", "EC", "-groupname", "secp256r1", "-dname",
            "CN=localhost", "-ext", "SAN=DNS:localhost,IP:127.0.0.1", "-validity", "2", "-storetype", "PKCS12"), store);
        keytool(List.of("-exportcert", "-rfc", "-alias", "port", "-file", store + ".pem"), store);
        return store;
    }

    private static void keytool(final List<String> options, final Path store) throws IOException, InterruptedException
    {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.add("-J-XX:TieredStopAtLevel=1");
        command.addAll(options);
        command.addAll(List.of("-keystore", store.toString(), "-storepass", PASSWORD));
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0)
        {
            throw new IOException("keytool failed: " + output);
        }
    }
}
