package dev.millrace.house;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.millrace.house.HomeJars.Jar;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** The table of third-party parts, and the documents generated from it: THIRD-PARTY.md and the SBOM of the home. */
final class ThirdPartyParts
{
    static final Path PAGE = SourceTree.root().resolve("THIRD-PARTY.md");
    static final Path SBOM = SourceTree.root().resolve("platform/distribution/src/main/home/sbom.cdx.json");

    private static final Path TABLE = SourceTree.root().resolve("platform/distribution/src/main/third-party/parts.txt");
    private static final String OWN_GROUP = "dev.millrace";
    private static final String OWN_LICENCE = "Apache-2.0";

    /**
     * A part.
     *
     * @param group    Maven group
     * @param artifact Maven artifact
     * @param licence  SPDX expression
     * @param texts    names of files below licenses, without suffix
     * @param purpose  what it is used for
     */
    record Part(String group, String artifact, String licence, List<String> texts, String purpose)
    {
        static Part of(final String line)
        {
            final String[] cells = Arrays.stream(line.split("\\|")).map(String::strip).toArray(String[]::new);
            final String[] name = cells[0].split(":");
            return new Part(name[0], name[1], cells[1], List.of(cells[2].split(", ")), cells[3]);
        }
    }

    private ThirdPartyParts()
    {
    }

    static List<Part> read()
    {
        return SourceTree.read(TABLE).lines().filter(line -> !line.isBlank() && !line.startsWith("#"))
            .map(Part::of).toList();
    }

    static String page()
    {
        final StringBuilder page = new StringBuilder("""
            # Third-party libraries

            The distribution contains these libraries in addition to Millrace itself. Each jar is unchanged; the
            licences are in the directory `licenses` of the home, versions and checksums in `sbom.cdx.json`
            (CycloneDX). This page is generated from `platform/distribution/src/main/third-party/parts.txt`;
            `ThirdPartyIT` fails when a jar is shipped that is not listed there, when a licence is missing, and when a
            version has a known vulnerability.

            | Jar | Licence | Text | What for |
            |---|---|---|---|
            """);
        for (final Part part : read())
        {
            page.append("| ").append(part.artifact()).append(" | ").append(part.licence()).append(" | ")
                .append(String.join(", ", part.texts().stream().map(text -> '`' + text + ".txt`").toList()))
                .append(" | ").append(part.purpose()).append(" |\n");
        }
        return page.toString();
    }

    /** Produces the same result for the same jars: no time, no random number. */
    static String sbom(final Collection<Jar> jars, final String productVersion)
    {
        final JsonObject bom = new JsonObject();
        bom.addProperty("$schema", "http://cyclonedx.org/schema/bom-1.6.schema.json");
        bom.addProperty("bomFormat", "CycloneDX");
        bom.addProperty("specVersion", "1.6");
        bom.addProperty("version", 1);
        final JsonObject metadata = new JsonObject();
        metadata.add("component", component("application", OWN_GROUP, "millrace", productVersion, OWN_LICENCE));
        bom.add("metadata", metadata);
        final List<Part> parts = read();
        final JsonArray components = new JsonArray();
        for (final Jar jar : jars)
        {
            if (jar.isOwn())
            {
                // Its bytes depend on the build, so that its checksum cannot be in the sources.
                components.add(component("library", OWN_GROUP, jar.artifact(), jar.version(), OWN_LICENCE));
                continue;
            }
            final Part part = parts.stream().filter(one -> one.artifact().equals(jar.artifact())).findFirst()
                .orElseThrow(() -> new IllegalStateException("a jar of the home is not in parts.txt, add it: " + jar));
            final JsonObject component =
                component("library", part.group(), part.artifact(), jar.version(), part.licence());
            final JsonObject hash = new JsonObject();
            hash.addProperty("alg", "SHA-256");
            hash.addProperty("content", jar.sha256());
            component.add("hashes", array(hash));
            components.add(component);
        }
        bom.add("components", components);
        return new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create().toJson(bom) + '\n';
    }

    private static JsonObject component(
        final String type, final String group, final String name, final String version, final String licence)
    {
        final String purl = "pkg:maven/" + group + '/' + name + '@' + version + "?type=jar";
        final JsonObject component = new JsonObject();
        component.addProperty("type", type);
        component.addProperty("bom-ref", purl);
        component.addProperty("group", group);
        component.addProperty("name", name);
        component.addProperty("version", version);
        final JsonObject licences = new JsonObject();
        licences.addProperty("expression", licence);
        component.add("licenses", array(licences));
        component.addProperty("purl", purl);
        return component;
    }

    private static JsonArray array(final JsonObject only)
    {
        final JsonArray array = new JsonArray();
        array.add(only);
        return array;
    }
}
