# The main commands are `make run` and `make test`; each creates the environment .venv first. See CONTRIBUTING.md.
.DEFAULT_GOAL := help
.PHONY: help run test full check training lint proof bench mutants sets gallery pictures drawings release manual rig appliance-test arm64-smoke firmware image nightly words clean changed-training

# Tests start hundreds of Python processes; where nothing compiled is kept, each compiles everything again.
unexport PYTHONDONTWRITEBYTECODE

PYTHON_ENV := .venv/bin/python
PYTEST := $(PYTHON_ENV) -m pytest -q
# Three processes on two cores: some tests wait for programs. One that has nothing left takes tests from the others.
PARALLEL := -n 3 --dist worksteal
# Both layers, without what has targets of its own.
ALL_LAYERS := not training and not proof and not real and not appliance

help:
	@echo 'make run     play (ARGS="--players Ada Ben": see companion run --help)'
	@echo 'make test    run the tests: before each change, under five minutes on two cores'
	@echo 'make full    run the tests that make test leaves out: more players, seeds, sizes, languages, boards'
	@echo 'make training   run the tests of renderers and training in tools/training'
	@echo 'make check   lint (format, types, import directions, class names), then the tests of make test and make full with coverage'
	@echo 'make proof   run the long tests: soak, fuzzing, many seeds'
	@echo 'make bench   measure vision, buttons, display, start and porch; write docs/results.json and the tables made of it'
	@echo 'make mutants  change one place of the code at a time and list the changes that no test notices (an hour)'
	@echo 'make sets    render the held-out test sets (pictures, image sequences, throws) from seeds into build/sets'
	@echo 'make gallery   draw every screen as a picture into build/gallery'
	@echo 'make pictures  redraw the screens that README and docs show'
	@echo 'make drawings  draw the wiring and the panel of docs/build and the sheets of tags again; with openscad also its printed parts, into build/parts'
	@echo 'make release  build wheel, source distribution, firmware, printed parts, notes and checksums from the last commit into dist'
	@echo 'make manual  write the man page and the completions of bash and zsh in docs/share/'
	@echo 'make rig     test the whole companion on a real kernel in ../shared/rig'
	@echo 'make appliance-test  install it in a Debian root with a real systemd (root, systemd-container, debootstrap)'
	@echo 'make arm64-smoke  run the wheel on aarch64 under qemu-user (root, minutes)'
	@echo 'make image   build a card image into build/image (root, half an hour): ARGS="--target pi"; docs/build/card-image.md'
	@echo 'make nightly   run rig, training, arm64-smoke, firmware, appliance, image-virt and image-pi; one table at the end (root, hours): ARGS="rig"'
	@echo 'make words   add new messages to the translation catalogues and compile them'
	@echo 'make firmware  build the firmware of the button box (needs gcc-avr, avr-libc, gcc-arm-none-eabi, libnewlib-arm-none-eabi)'
	@echo 'make clean   remove everything that was built here, .venv included'

run:
	@sh tools/bootstrap.sh run
	@.venv/bin/companion run --or-headless $(ARGS)

test:
	@sh tools/bootstrap.sh dev
	@$(PYTEST) $(PARALLEL) $(ARGS)

full:
	@sh tools/bootstrap.sh dev
	$(PYTEST) $(PARALLEL) -m "full and $(ALL_LAYERS)" $(ARGS)
	@$(MAKE) --no-print-directory changed-training

check: lint
	$(PYTEST) $(PARALLEL) -m "$(ALL_LAYERS)" --cov --cov-report=term $(ARGS)
	@$(MAKE) --no-print-directory changed-training

training:
	@sh tools/bootstrap.sh dev
	$(PYTEST) $(PARALLEL) -m training tests/training $(ARGS)

changed-training:
	@# Renderers and training: only where this branch, or on main the last commit, changed them; always in make nightly.
	@base=$$(git merge-base HEAD origin/HEAD 2>/dev/null || echo HEAD); \
	if [ "$$(git rev-parse "$$base")" = "$$(git rev-parse HEAD)" ]; then base=HEAD~; fi; \
	if ! git diff --quiet "$$base" -- tools/training tests/training; then $(MAKE) --no-print-directory training ARGS=; fi

lint:
	@sh tools/bootstrap.sh dev
	$(PYTHON_ENV) -m ruff check .
	$(PYTHON_ENV) -m ruff format --check .
	$(PYTHON_ENV) -m mypy
	$(PYTHON_ENV) -m mypy tools/*.py
	.venv/bin/lint-imports
	$(PYTHON_ENV) tools/check_class_names.py

proof:
	@sh tools/bootstrap.sh dev
	HYPOTHESIS_PROFILE=proof $(PYTEST) -m proof $(ARGS)

# A run with ARGS measures something else than what is published.
bench: export COMPANION_RESULTS = $(if $(ARGS),,docs/results.json)
bench:
	@sh tools/bootstrap.sh dev
	@$(PYTHON_ENV) -m pip install --quiet --editable '.[bench]'
	@$(PYTHON_ENV) tools/bench.py $(ARGS)
	HYPOTHESIS_PROFILE=proof $(PYTEST) -m proof -s tests/vision/dice/test_taught_dice.py tests/vision/tray/test_many_trays.py
	$(PYTEST) -m proof -s tests/vision/dice/test_corrected_dice.py
	$(PYTEST) -m "" -s tests/vision/lid/test_image_sequences.py tests/vision/lid/test_disturbed_sittings.py
	@$(PYTHON_ENV) tools/bench_turns.py
	@$(PYTHON_ENV) tools/bench_buttons.py
	@$(PYTHON_ENV) tools/bench_display.py
	@$(PYTHON_ENV) tools/bench_startup.py
	@$(PYTHON_ENV) tools/bench_porch.py
	@$(PYTHON_ENV) tools/bench_watchers.py
	@$(PYTHON_ENV) tools/figures.py

mutants:
	@sh tools/bootstrap.sh dev
	@nice $(PYTHON_ENV) tools/mutants.py $(ARGS)

sets:
	@sh tools/bootstrap.sh dev
	@PYTHONPATH=tools/training nice $(PYTHON_ENV) -m testset_renderer.make build/sets $(ARGS)

gallery:
	@sh tools/bootstrap.sh dev
	@.venv/bin/companion gallery build/gallery --language en $$(ls companion/locale) $(ARGS)

pictures:
	@sh tools/bootstrap.sh dev
	@$(PYTHON_ENV) tools/draw_docs_pictures.py $(ARGS)
	@$(PYTHON_ENV) tools/draw_readme_turn.py

drawings:
	@sh tools/bootstrap.sh dev
	@$(PYTHON_ENV) tools/draw_wiring.py
	@$(PYTHON_ENV) tools/draw_panel.py
	@$(PYTHON_ENV) tools/draw_tags.py
	@if command -v openscad >/dev/null; then $(PYTHON_ENV) tools/build_parts.py; else echo 'No openscad: no printed parts.'; fi

release:
	@sh tools/bootstrap.sh dev
	@$(PYTHON_ENV) tools/make_release.py $(ARGS)

manual:
	@sh tools/bootstrap.sh dev
	@$(PYTHON_ENV) -m pip install --quiet --editable '.[manual]'
	@$(PYTHON_ENV) tools/write_manual.py $(ARGS)

rig:
	@sh tools/bootstrap.sh dev
	@test -d build/rig/pygame || $(PYTHON_ENV) -m pip install --quiet --no-deps --target build/rig pygame-ce
	$(PYTEST) -m "not real and not appliance" -rs tests/kernel_rig tests/hardware/buttons/usb_box/test_rig.py tests/hardware/buttons/gpio/test_rig.py tests/hardware/buttons/controllers/test_rig.py tests/hardware/cameras/test_rig.py tests/app/test_button_input_rig.py $(ARGS)

appliance-test:
	@sh tools/bootstrap.sh dev
	$(PYTEST) -m appliance tests/systemd -rs $(ARGS)

arm64-smoke:
	@sh tools/bootstrap.sh dev
	@sh tools/arm64_smoke.sh || [ $$? = 77 ]

image:
	@sh tools/bootstrap.sh dev
	@$(PYTHON_ENV) tools/make_image.py $(ARGS)

nightly:
	@sh tools/bootstrap.sh dev
	@nice $(PYTHON_ENV) tools/nightly.py $(ARGS)

words:
	@sh tools/bootstrap.sh dev
	@$(PYTHON_ENV) tools/translations.py

firmware:
	@$(MAKE) --no-print-directory -C firmware_notes/firmware

clean:
	rm -rf firmware_notes/firmware/build firmware_notes/simulator/build firmware_notes/simulator/pico/node_modules
	rm -rf .venv build dist *.egg-info .coverage .coverage.* htmlcov .pytest_cache .mypy_cache .ruff_cache .hypothesis \
		.import_linter_cache
	find companion hardware tests tools -name __pycache__ -type d -prune -exec rm -rf {} +
