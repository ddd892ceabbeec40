package dev.millrace.cluster.deployment;

import dev.millrace.cluster.SharedMap;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** What all members know of what is wanted. Safe for all threads. */
final class Documents
{
    private final SharedMap map;

    /** By name, so that what has not changed is not read anew. */
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    private record Known(byte[] json, Document document)
    {
    }

    Documents(final SharedMap map)
    {
        this.map = map;
    }

    /** By name. */
    List<Document> all()
    {
        return map.all().entrySet().stream().map(each -> known(each.getKey(), each.getValue()).document).toList();
    }

    Optional<Document> get(final String name)
    {
        return Optional.ofNullable(map.get(name)).map(json -> known(name, json).document);
    }

    /** The same as the others have it, also when the copy here is a moment behind. */
    Optional<Document> latest(final String name)
    {
        // Nothing is put in the place of nothing; the copy is brought up to date by it.
        map.replace(name, null, null);
        return get(name);
    }

    /** The map gives the same array as long as nothing changes. */
    private Known known(final String name, final byte[] json)
    {
        return known.compute(name, (key, before) ->
            before != null && before.json == json ? before : new Known(json, Document.of(json)));
    }

    /**
     * Puts a document in the place of another, or of none; false when somebody else was faster. When the member that
     * decides about the name dies on the way, the change is tried once more, and may find itself done: no other change
     * is equal, since each names who made it and when.
     */
    boolean replace(final Optional<Document> expected, final Document next)
    {
        final byte[] json = next.json();
        return map.replace(next.name(), expected.map(Document::json).orElse(null), json) ||
            Arrays.equals(json, map.get(next.name()));
    }
}
