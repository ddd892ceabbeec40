package dev.millrace.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.cyclonedx.Version;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Validates the SBOM of the home against the CycloneDX schema, with the CycloneDX validator. */
@Timeout(120)
class SbomTest
{
    private static final String SBOM = SourceTree.read(ThirdPartyParts.SBOM);

    private static boolean isValid(final String sbom) throws IOException
    {
        return new org.cyclonedx.parsers.JsonParser().validate(sbom.getBytes(StandardCharsets.UTF_8),
            Version.VERSION_16).isEmpty();
    }

    private static String changed(final Consumer<JsonObject> change)
    {
        final JsonObject sbom = JsonParser.parseString(SBOM).getAsJsonObject();
        change.accept(sbom);
        return sbom.toString();
    }

    private static JsonObject firstComponent(final JsonObject sbom)
    {
        return sbom.getAsJsonArray("components").get(0).getAsJsonObject();
    }

    @Test
    void shouldFollowTheSchema() throws IOException
    {
        assertThat(JsonParser.parseString(SBOM).getAsJsonObject().get("specVersion").getAsString()).isEqualTo("1.6");
        assertThat(new org.cyclonedx.parsers.JsonParser().validate(
            SBOM.getBytes(StandardCharsets.UTF_8), Version.VERSION_16)).isEmpty();
    }

    @Test
    void shouldSeeWhatDoesNotFollowTheSchema() throws IOException
    {
        assertThat(isValid(changed(sbom -> sbom.addProperty("colour", "red")))).isFalse();
        assertThat(isValid(changed(sbom -> firstComponent(sbom).remove("name")))).isFalse();
        assertThat(isValid(changed(sbom -> firstComponent(sbom).addProperty("type", "jar")))).isFalse();
        assertThat(isValid(changed(sbom -> firstComponent(sbom).getAsJsonArray("hashes").get(0).getAsJsonObject()
            .addProperty("content", "no hash")))).isFalse();
    }
}
