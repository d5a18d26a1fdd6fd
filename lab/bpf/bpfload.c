// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// The virtual phone's bpfloader: loads an object by libbpf, which relocates its fields by the
// kernel's BTF, and pins its maps and programs under the names that Android's gives them.
//   lab-bpfload OBJECT.o DIRECTORY     the directory is of a bpffs

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static char pin[512];

// DIRECTORY/KIND_OBJECT_NAME, with an underscore for each slash of the name.
static const char* PinOf(const char* directory, const char* kind, const char* object,
                         const char* name) {
    int at = snprintf(pin, sizeof(pin), "%s/%s_%s_", directory, kind, object);
    if (at < 0 || (size_t)at >= sizeof(pin)) return "";
    snprintf(pin + at, sizeof(pin) - (size_t)at, "%s", name);
    for (char* c = pin + at; *c; ++c)
        if (*c == '/') *c = '_';
    return pin;
}

static int Fail(const char* what, const char* object) {
    fprintf(stderr, "lab-bpfload: %s %s: %s\n", what, object, strerror(errno));
    return 1;
}

int main(int argc, char** argv) {
    struct bpf_object* object;
    struct bpf_program* program;
    struct bpf_map* map;
    char name[64];

    if (argc != 3) {
        fprintf(stderr, "usage: lab-bpfload OBJECT.o DIRECTORY\n");
        return 2;
    }
    const char* base = strrchr(argv[1], '/') ? strrchr(argv[1], '/') + 1 : argv[1];
    snprintf(name, sizeof(name), "%.*s", (int)strcspn(base, "."), base);
    object = bpf_object__open_file(argv[1], NULL);
    if (!object) return Fail("cannot open", argv[1]);
    if (bpf_object__load(object)) return Fail("cannot load", argv[1]);
    bpf_object__for_each_map(map, object) {
        const char* path = PinOf(argv[2], "map", name, bpf_map__name(map));
        if (bpf_map__pin(map, path)) return Fail("cannot pin", path);
    }
    bpf_object__for_each_program(program, object) {
        const char* path = PinOf(argv[2], "prog", name, bpf_program__section_name(program));
        if (bpf_obj_pin(bpf_program__fd(program), path)) return Fail("cannot pin", path);
    }
    bpf_object__close(object);
    return 0;
}
