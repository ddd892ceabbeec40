package dev.millrace.cluster.deployment;

import dev.millrace.cluster.SharedMap;
import java.util.List;
import java.util.Optional;

/** What all members know of what is wanted. Safe for all threads. */
final class Documents
{
    private final SharedMap map;

    Documents(final SharedMap map)
    {
        this.map = map;
    }

    /** By name. */
    List<Document> all()
    {
        return map.all().values().stream().map(Document::of).toList();
    }

    Optional<Document> get(final String name)
    {
        return Optional.ofNullable(map.get(name)).map(Document::of);
    }

    /** Puts a document in the place of another, or of none; false when somebody else was faster. */
    boolean replace(final Optional<Document> expected, final Document next)
    {
        return map.replace(next.name(), expected.map(Document::json).orElse(null), next.json());
    }
}
