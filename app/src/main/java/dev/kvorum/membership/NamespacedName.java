package dev.kvorum.membership;

/** Which object of its kind one is in the API of Kubernetes. */
record NamespacedName(String namespace, String name) {}
